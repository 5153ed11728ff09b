@NullMarked
package dev.understudy.testing;

import org.jspecify.annotations.NullMarked;
