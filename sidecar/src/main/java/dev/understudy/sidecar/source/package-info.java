/** The source of classes, from folders and jars that an operator named. Reads nothing outside of them. */
@NullMarked
package dev.understudy.sidecar.source;

import org.jspecify.annotations.NullMarked;
