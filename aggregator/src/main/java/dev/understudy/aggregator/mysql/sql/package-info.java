/**
 * What can be said of a statement from its text, and of a session from the statements that it ran: both sides follow
 * their sessions with the same code, so that equal histories give equal forms.
 */
@NullMarked
package dev.understudy.aggregator.mysql.sql;

import org.jspecify.annotations.NullMarked;
