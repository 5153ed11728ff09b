package dev.understudy.relay;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Date;
import java.util.regex.Pattern;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** What holds of the code of both proxies and of what they share. */
public final class SharedRules {
    private SharedRules() {}

    /**
     * Imports run one way between parts of the code.
     *
     * @param parts a regular expression of packages, whose first group names the part that a package belongs to
     */
    public static ArchRule importsRunOneWay(String parts) {
        return classes().should(new OneWayImports(Pattern.compile(parts)));
    }

    /**
     * A clock that jumps must move no timer: what waits is measured by {@link System#nanoTime}.
     *
     * @param root the package that this holds in, with those below
     * @param free classes that may ask a wall clock, since people are shown what it says: a regular expression of their
     *     names below {@code root}
     */
    public static ArchRule noWallClock(String root, String free) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .haveNameNotMatching(root.replace(".", "\\.") + "\\.(" + free + ")")
                .should()
                .callMethodWhere(target(owner(assignableTo(System.class))).and(target(name("currentTimeMillis"))))
                .orShould()
                .callMethodWhere(target(owner(resideInAPackage("java.time..")))
                        .and(target(nameMatching("now|system.*|instant|millis"))))
                .orShould()
                .callConstructor(Date.class);
    }
}
