@NullMarked
package dev.understudy.kubernetes.inject;

import org.jspecify.annotations.NullMarked;
