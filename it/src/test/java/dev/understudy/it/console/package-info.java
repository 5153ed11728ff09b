/** The console in a real browser, before real processes. */
@NullMarked
package dev.understudy.it.console;

import org.jspecify.annotations.NullMarked;
