/** The published bugs' runner. */
@NullMarked
package dev.understudy.it.localisation;

import org.jspecify.annotations.NullMarked;
