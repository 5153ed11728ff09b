package dev.understudy.relay;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Date;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** What holds of the code of both proxies and of what they share. */
public final class SharedRules {
    private SharedRules() {}

    /** Imports between the packages that {@code pattern} tells apart run one way. */
    public static ArchRule importsRunOneWay(String pattern) {
        return slices().matching(pattern).should().beFreeOfCycles();
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
