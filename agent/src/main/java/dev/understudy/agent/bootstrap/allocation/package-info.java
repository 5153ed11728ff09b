/** What constructors call that are woven to tell where objects are made. */
@NullMarked
package dev.understudy.agent.bootstrap.allocation;

import org.jspecify.annotations.NullMarked;
