/** What an application does while it is looked at; woven with the libraries that it uses. */
@NullMarked
package dev.understudy.it.overhead.work;

import org.jspecify.annotations.NullMarked;
