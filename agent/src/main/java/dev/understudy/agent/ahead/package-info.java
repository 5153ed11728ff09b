/**
 * Weaves classes before there is a JVM that loads them, as while an image is built: what is made is kept in the folder
 * where an agent of the same build looks first.
 */
@NullMarked
package dev.understudy.agent.ahead;

import org.jspecify.annotations.NullMarked;
