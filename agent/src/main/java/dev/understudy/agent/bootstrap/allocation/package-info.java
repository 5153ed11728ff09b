/** What constructors call that are woven to tell where objects are made, and methods, to tell where those are used. */
@NullMarked
package dev.understudy.agent.bootstrap.allocation;

import org.jspecify.annotations.NullMarked;
