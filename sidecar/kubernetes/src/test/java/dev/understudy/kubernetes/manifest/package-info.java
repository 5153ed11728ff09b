@NullMarked
package dev.understudy.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
