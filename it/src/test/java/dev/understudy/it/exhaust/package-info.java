/** What a process does when somebody takes all that it will give, while a client checks every byte of production. */
@NullMarked
package dev.understudy.it.exhaust;

import org.jspecify.annotations.NullMarked;
