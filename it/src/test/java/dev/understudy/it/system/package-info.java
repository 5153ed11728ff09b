/** The parts together, as a user starts them: the demo, containers, commands, faults. The longest: they begin first. */
@NullMarked
package dev.understudy.it.system;

import org.jspecify.annotations.NullMarked;
