// The grammar of spinc, ordered as docs/language.md. Sub-rules that AstBuilder
// reads carry labels, so it never counts children. What a rule accepts beyond
// the language (a handler of an unknown kind, a budget on an unknown resource)
// is refused by AstBuilder, which has the better words for it.
parser grammar SpincParser;

options { tokenVocab = SpincLexer; }

program
  : decls+=declaration* EOF
  ;

declaration
  : importDecl
  | constDecl
  | headerDecl
  | structDecl
  | enumDecl
  | contextDecl
  | functionDecl
  ;

importDecl
  : IMPORT path+=memberName ('.' path+=memberName)* ';'
  ;

constDecl
  : CONST type=localType? name=identifier sizes+=typeSuffix*
    '=' init=initializer ';'
  ;

// ---- Types ---------------------------------------------------------------

headerDecl
  : HEADER name=IDENTIFIER (SIZED '(' size=expr ')')?
    (FOLLOWS '(' rules+=followRule (',' rules+=followRule)* ')')?
    fields=fieldBlock ';'?
  ;

followRule
  : field=memberName '==' value=expr
  ;

structDecl
  : STRUCT name=IDENTIFIER fields=fieldBlock ';'?
  ;

enumDecl
  : ENUM name=IDENTIFIER (':' underlying=typeRef)?
    '{' members+=enumerator (',' members+=enumerator)* ','? '}' ';'?
  ;

enumerator
  : name=identifier ('=' init=expr)?
  ;

fieldBlock
  : '{' fields+=fieldDecl* '}'
  ;

fieldDecl
  : alternatives+=typeRef ('|' alternatives+=typeRef)*
    name=identifier sizes+=typeSuffix* (WHERE where=expr)? ';'
  ;

typeRef
  : name=IDENTIFIER suffixes+=typeSuffix*
  ;

typeSuffix
  : '[' size=expr? ']'
  ;

// Where a statement may begin with a type: arrays have their size after the
// name there, so two tokens tell a declaration from an expression.
localType
  : name=IDENTIFIER slices+=sliceSuffix*
  ;

sliceSuffix
  : '[' ']'
  ;

// ---- Functions and budgets -----------------------------------------------

functionDecl
  : result=typeRef name=identifier
    '(' (parameters+=parameter (',' parameters+=parameter)*)? ')'
    budget? body=block
  ;

parameter
  : inout=INOUT? type=typeRef name=identifier
  ;

budget
  : BUDGET '(' clauses+=budgetClause (',' clauses+=budgetClause)* ')'
    (WHERE names+=budgetName (',' names+=budgetName)*)?
  ;

budgetClause
  : resource=identifier ('<=' limit=expr)?
  ;

budgetName
  : name=identifier '=' init=expr
  ;

// ---- Contexts ------------------------------------------------------------

contextDecl
  : CONTEXT name=IDENTIFIER body=contextBody
  ;

contextBody
  : '{' items+=contextItem* '}'
  ;

contextItem
  : matchBlock
  | packetBlock
  | userBlock
  | stateBlock
  | hostDecl
  | contractDecl
  | handlerDecl
  ;

matchBlock
  : MATCH kind=IDENTIFIER '{' (entries+=matchEntry
      (',' entries+=matchEntry)* ','?)? '}'                  # portalsMatch
  | MATCH '{' conditions+=expr (';' conditions+=expr)* ';'? '}'  # packetMatch
  ;

matchEntry
  : name=memberName ':' value=expr
  ;

packetBlock
  : PACKET fields=fieldBlock
  ;

userBlock
  : USER fields=fieldBlock
  ;

stateBlock
  : STATE '{' fields+=stateField* '}'
  ;

stateField
  : kinds+=stateKind* type=typeRef name=identifier sizes+=typeSuffix*
    clauses+=stateClause* ';'
  ;

stateKind
  : word=PARAM
  | word=PER_CLUSTER
  | word=ATOMIC
  | word=PER_HPU
  | word=GUARDED '(' lock=identifier ')'
  ;

stateClause
  : WHERE condition=expr   # whereClause
  | IN place=IDENTIFIER    # placeClause
  ;

hostDecl
  : HOST name=identifier ';'
  ;

contractDecl
  : CONTRACT condition=expr ';'
  ;

handlerDecl
  : HANDLER kind=handlerKind '(' type=handlerType name=identifier ')'
    budget? body=block
  ;

handlerKind
  : IDENTIFIER
  | HEADER
  ;

handlerType
  : IDENTIFIER
  | PACKET
  ;

// ---- Statements ----------------------------------------------------------

block
  : '{' statements+=statement* '}'
  ;

statement
  : block                                                    # blockStatement
  | LET type=localType? name=identifier '=' init=initializer ';'
                                                             # letStatement
  | LOCAL type=localType name=identifier sizes+=typeSuffix*
    ('=' init=initializer)? ';'                              # memoryStatement
  | VIEW name=identifier '=' init=expr ';'                   # viewStatement
  | type=localType name=identifier sizes+=typeSuffix*
    ('=' init=initializer)? ';'                              # variableStatement
  | target=expr (op=assignOp value=expr | step=('++' | '--'))? ';'
                                                             # exprStatement
  | IF '(' condition=expr ')' thenBody=statement
    (ELSE elseBody=statement)?                               # ifStatement
  | FOR '(' type=localType? name=identifier ':' range=loopRange ')'
    bound=loopBound? body=statement
    (ELSE '(' tail=identifier ')' tailBody=statement)?       # forStatement
  | WHILE '(' condition=expr ')' bound=loopBound? body=statement
                                                             # whileStatement
  | REQUIRE '(' condition=expr ')' ELSE RETURN result=expr? ';'
                                                             # requireStatement
  | RETURN result=expr? ';'                                  # returnStatement
  | WITH '(' lock=expr ')' body=statement                    # withStatement
  | WRAPPING body=block                                      # wrappingStatement
  | SWITCH '(' subject=expr ')' '{' cases+=switchCase* '}'   # switchStatement
  | MATCH '(' subject=expr ')' '{' cases+=matchCase* '}'     # matchStatement
  | BREAK ';'                                                # breakStatement
  | CONTINUE ';'                                             # continueStatement
  ;

loopRange
  : begin=expr (form=('..<' | '..+') extent=expr (STEP step=expr)?)?
  ;

loopBound
  : BOUND '(' count=expr ')'
  ;

switchCase
  : (CASE values+=expr (',' values+=expr)* | DEFAULT) ':'
    statements+=statement*
  ;

matchCase
  : (CASE type=localType name=identifier | DEFAULT) ':'
    statements+=statement*
  ;

assignOp
  : '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '+%=' | '-%=' | '*%=' | '<<%='
  | '+|=' | '-|=' | '<<=' | '>>=' | '&=' | '^=' | '|='
  ;

initializer
  : value=expr
  | list=initList
  ;

initList
  : '{' (elements+=initElement (',' elements+=initElement)* ','?)? '}'
  ;

initElement
  : (name=memberName ':')? value=initializer
  ;

// ---- Expressions, from the tightest binding to the loosest, as in C -------

expr
  : primary                                                  # primaryExpr
  | base=expr '.' member=memberName                          # fieldExpr
  | base=expr '[' begin=expr
    (form=('..<' | '..+') extent=expr)? ']'                  # indexExpr
  | callee=expr '(' (arguments+=argument (',' arguments+=argument)*)? ')'
                                                             # callExpr
  | ASYNC call=expr                                          # asyncExpr
  | op=('-' | '!' | '~') operand=expr                        # unaryExpr
  | operand=expr AS target=typeRef                           # castExpr
  | left=expr op=('*' | '/' | '%' | '*%') right=expr         # binaryExpr
  | left=expr op=('+' | '-' | '+%' | '-%' | '+|' | '-|') right=expr
                                                             # binaryExpr
  | left=expr op=('<<' | '>>' | '<<%') right=expr            # binaryExpr
  | left=expr op=('<' | '<=' | '>' | '>=') right=expr        # binaryExpr
  | left=expr op=('==' | '!=') right=expr                    # binaryExpr
  | left=expr op='&' right=expr                              # binaryExpr
  | left=expr op='^' right=expr                              # binaryExpr
  | left=expr op='|' right=expr                              # binaryExpr
  | left=expr op='&&' right=expr                             # binaryExpr
  | left=expr op='||' right=expr                             # binaryExpr
  | <assoc=right> condition=expr '?' whenTrue=expr ':' whenFalse=expr
                                                             # conditionalExpr
  ;

primary
  : name=identifier                # namePrimary
  | literal                        # literalPrimary
  | SIZEOF '(' type=typeRef ')'    # sizeofPrimary
  | '(' inner=expr ')'             # parenPrimary
  ;

literal
  : INTEGER
  | FLOAT
  | BAD_NUMBER
  | CHARACTER
  | TRUE
  | FALSE
  | NONE
  ;

argument
  : (name=memberName ':')? value=expr
  ;

// ---- Names ---------------------------------------------------------------

// Words that are special only where a context, a header or a loop is written
// are free to name variables.
identifier
  : IDENTIFIER | HEADER | PACKET | USER | STATE | HOST | PARAM | STEP | FOLLOWS
  ;

// After a dot and before the colon of an argument any word is a name.
memberName
  : identifier
  | IMPORT | CONST | ENUM | STRUCT | CONTEXT | SIZED | WHERE | INOUT | BUDGET
  | MATCH | CONTRACT | HANDLER | ATOMIC | PER_CLUSTER | PER_HPU | GUARDED | IN
  | LET | LOCAL | VIEW | IF | ELSE | FOR | WHILE | BOUND | REQUIRE | RETURN
  | WITH | WRAPPING | SWITCH | CASE | DEFAULT | BREAK | CONTINUE | AS | ASYNC
  | SIZEOF | TRUE | FALSE | NONE | DO | GOTO | TYPEDEF | UNION | STATIC
  ;
