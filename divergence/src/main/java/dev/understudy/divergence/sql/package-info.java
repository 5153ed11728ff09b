/**
 * The texts of SQL statements, as far as anybody here reads them: where strings, comments and statements end, and
 * whether rows are asked for in an order.
 *
 * <pre>
 *  SqlTokens ◀── PostgresText, MySqlText: what is what in either dialect
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.sql;

import org.jspecify.annotations.NullMarked;
