// Tokens of spinc. Every input splits into tokens: what fits no rule becomes
// ERROR_CHAR, so that the parser complains once and in its own words.
lexer grammar SpincLexer;

// Declarations.
IMPORT      : 'import' ;
CONST       : 'const' ;
ENUM        : 'enum' ;
STRUCT      : 'struct' ;
HEADER      : 'header' ;
CONTEXT     : 'context' ;
SIZED       : 'sized' ;
FOLLOWS     : 'follows' ;
WHERE       : 'where' ;
INOUT       : 'inout' ;
BUDGET      : 'budget' ;

// Members of a context.
MATCH       : 'match' ;
PACKET      : 'packet' ;
USER        : 'user' ;
STATE       : 'state' ;
HOST        : 'host' ;
CONTRACT    : 'contract' ;
HANDLER     : 'handler' ;

// Kinds and places of state.
PARAM       : 'param' ;
ATOMIC      : 'atomic' ;
PER_CLUSTER : 'per_cluster' ;
PER_HPU     : 'per_hpu' ;
GUARDED     : 'guarded' ;
IN          : 'in' ;

// Statements.
LET         : 'let' ;
LOCAL       : 'local' ;
VIEW        : 'view' ;
IF          : 'if' ;
ELSE        : 'else' ;
FOR         : 'for' ;
WHILE       : 'while' ;
STEP        : 'step' ;
BOUND       : 'bound' ;
REQUIRE     : 'require' ;
RETURN      : 'return' ;
WITH        : 'with' ;
WRAPPING    : 'wrapping' ;
SWITCH      : 'switch' ;
CASE        : 'case' ;
DEFAULT     : 'default' ;
BREAK       : 'break' ;
CONTINUE    : 'continue' ;

// Expressions.
AS          : 'as' ;
ASYNC       : 'async' ;
SIZEOF      : 'sizeof' ;
TRUE        : 'true' ;
FALSE       : 'false' ;
NONE        : 'none' ;

// C words that spinc leaves out. They are tokens so that the message can say
// what to write instead; no parser rule uses them.
DO          : 'do' ;
GOTO        : 'goto' ;
TYPEDEF     : 'typedef' ;
UNION       : 'union' ;
STATIC      : 'static' ;
ARROW       : '->' ;
ELLIPSIS    : '...' ;
STRING      : '"' (~["\\\r\n] | '\\' .)* '"' ;

// Assignment.
ASSIGN          : '=' ;
ADD_ASSIGN      : '+=' ;
SUB_ASSIGN      : '-=' ;
MUL_ASSIGN      : '*=' ;
DIV_ASSIGN      : '/=' ;
REM_ASSIGN      : '%=' ;
WRAP_ADD_ASSIGN : '+%=' ;
WRAP_SUB_ASSIGN : '-%=' ;
WRAP_MUL_ASSIGN : '*%=' ;
WRAP_SHL_ASSIGN : '<<%=' ;
SAT_ADD_ASSIGN  : '+|=' ;
SAT_SUB_ASSIGN  : '-|=' ;
SHL_ASSIGN      : '<<=' ;
SHR_ASSIGN      : '>>=' ;
AND_ASSIGN      : '&=' ;
XOR_ASSIGN      : '^=' ;
OR_ASSIGN       : '|=' ;
INCREMENT       : '++' ;
DECREMENT       : '--' ;

// Operators.
ADD           : '+' ;
SUB           : '-' ;
MUL           : '*' ;
DIV           : '/' ;
REM           : '%' ;
WRAP_ADD      : '+%' ;
WRAP_SUB      : '-%' ;
WRAP_MUL      : '*%' ;
WRAP_SHL      : '<<%' ;
SAT_ADD       : '+|' ;
SAT_SUB       : '-|' ;
SHL           : '<<' ;
SHR           : '>>' ;
LESS          : '<' ;
LESS_EQUAL    : '<=' ;
GREATER       : '>' ;
GREATER_EQUAL : '>=' ;
EQUAL         : '==' ;
NOT_EQUAL     : '!=' ;
BIT_AND       : '&' ;
BIT_XOR       : '^' ;
BIT_OR        : '|' ;
BIT_NOT       : '~' ;
AND           : '&&' ;
OR            : '||' ;
NOT           : '!' ;
QUESTION      : '?' ;
COLON         : ':' ;
RANGE_END     : '..<' ;
RANGE_LENGTH  : '..+' ;

// Punctuation.
SEMICOLON     : ';' ;
COMMA         : ',' ;
DOT           : '.' ;
LEFT_PAREN    : '(' ;
RIGHT_PAREN   : ')' ;
LEFT_BRACKET  : '[' ;
RIGHT_BRACKET : ']' ;
LEFT_BRACE    : '{' ;
RIGHT_BRACE   : '}' ;

// Literals. BAD_NUMBER is what starts like a number and is none, such as 10u.
INTEGER
  : [0-9] [0-9_]* ('Ki' | 'Mi' | 'Gi' | 'K' | 'M' | 'G')?
  | '0' [xX] [0-9a-fA-F_]+
  | '0' [bB] [01_]+
  ;
FLOAT       : [0-9] [0-9_]* '.' [0-9]+ ([eE] [+\-]? [0-9]+)? ;
BAD_NUMBER  : [0-9] [0-9a-zA-Z_]* ;
CHARACTER   : '\'' (~['\\\r\n] | '\\' ~[\r\n]) '\'' ;
IDENTIFIER  : [a-zA-Z_] [a-zA-Z_0-9]* ;

BLANK            : [ \t\r\n\f]+ -> skip ;
LINE_COMMENT     : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT    : '/*' .*? '*/' -> skip ;
UNCLOSED_COMMENT : '/*' ;
ERROR_CHAR       : . ;
