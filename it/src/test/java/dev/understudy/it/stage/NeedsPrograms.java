package dev.understudy.it.stage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that needs programs which a machine may not have.
 *
 * <p>{@code -Dunderstudy.programs=required} makes a missing one an error, {@code auto} (the default) skips the test and
 * says so in one line.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ProgramsCondition.class)
public @interface NeedsPrograms {
    /** Their names, to be found on the PATH or where Debian keeps a server's own. */
    String[] value();
}
