@NullMarked
package dev.understudy.testing.process;

import org.jspecify.annotations.NullMarked;
