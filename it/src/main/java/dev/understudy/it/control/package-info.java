/** What runs in the JVMs whose window is controlled. */
@NullMarked
package dev.understudy.it.control;

import org.jspecify.annotations.NullMarked;
