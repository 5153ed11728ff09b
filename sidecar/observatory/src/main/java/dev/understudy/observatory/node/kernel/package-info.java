/**
 * What the kernel says of the whole machine, read again and again from open files without garbage.
 */
@NullMarked
package dev.understudy.observatory.node.kernel;

import org.jspecify.annotations.NullMarked;
