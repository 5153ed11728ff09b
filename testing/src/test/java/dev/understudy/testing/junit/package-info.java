@NullMarked
package dev.understudy.testing.junit;

import org.jspecify.annotations.NullMarked;
