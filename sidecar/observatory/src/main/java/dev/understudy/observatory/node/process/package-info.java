/**
 * What the kernel says of chosen processes, and what JVMs among them say of their collectors.
 */
@NullMarked
package dev.understudy.observatory.node.process;

import org.jspecify.annotations.NullMarked;
