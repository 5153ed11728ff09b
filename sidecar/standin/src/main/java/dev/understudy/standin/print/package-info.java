/**
 * Graphs of services as text, JSON and a picture.
 */
@NullMarked
package dev.understudy.standin.print;

import org.jspecify.annotations.NullMarked;
