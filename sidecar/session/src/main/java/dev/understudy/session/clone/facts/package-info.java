/**
 * What this machine and a process show of themselves, read below {@code /proc}, and what follows for a copy. Nothing is
 * changed.
 */
@NullMarked
package dev.understudy.session.clone.facts;

import org.jspecify.annotations.NullMarked;
