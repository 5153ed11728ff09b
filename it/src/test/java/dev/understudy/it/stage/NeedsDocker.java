package dev.understudy.it.stage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test class that needs a Docker engine.
 *
 * <p>{@code -Dunderstudy.docker=required} makes a missing engine an error, {@code auto} (the default) skips the class
 * and says so in one line, {@code skip} leaves it out even where there is an engine.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DockerCondition.class)
public @interface NeedsDocker {}
