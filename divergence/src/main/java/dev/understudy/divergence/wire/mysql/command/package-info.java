/** What clients ask for: text, and prepared statements with the values that are bound to them. */
@NullMarked
package dev.understudy.divergence.wire.mysql.command;

import org.jspecify.annotations.NullMarked;
