/**
 * The language of conditions and of the holes in messages.
 *
 * <pre>
 * text ──▶ Lexer ──▶ Parser ──▶ Expression (nodes) ──values──▶ Evaluation ──▶ a value, or a ValueFault
 *                      └──▶ ExpressionProblem, with its place         └──▶ Operators, Members
 * </pre>
 *
 * <pre>
 *   either   = both { "||" both }                        same     = order [ ("==" | "!=") order ]
 *   both     = same { "&amp;&amp;" same }                order    = sum [ ("&lt;" | "&lt;=" | "&gt;" | "&gt;=") sum ]
 *   sum      = product { ("+" | "-") product }           product  = unary { ("*" | "/" | "%") unary }
 *   unary    = [ "!" | "-" ] unary | part                part     = first { "." name [ "(" either ")" ] | "[" either "]" }
 *   first    = number | text | "true" | "false" | "null" | name | "(" either ")"
 * </pre>
 *
 * <p>Nothing can be assigned, and no method of the application can be called: what follows a dot is a field, or one of
 * the words that {@code Members} knows. What has no value is a {@code ValueFault}, and nothing is thrown.
 */
@NullMarked
package dev.understudy.agent.expression;

import org.jspecify.annotations.NullMarked;
