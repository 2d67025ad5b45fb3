package io.plat.decider;

import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.policy.UsageException;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagValues;
import java.time.InstantSource;

/** Finds flags that contradict each other. */
final class OptionsCheck {
    private final DeciderFlags flags;

    OptionsCheck(DeciderFlags flags) {
        this.flags = flags;
    }

    void check(FlagValues values, FlagProblems problems) {
        if (values.find(flags.modes()).isEmpty()) {
            // Its own form is wrong already; what it would ask of other flags is not known.
            return;
        }
        try {
            PolicyLoader.of(flags.authorization(values), flags.plugins(values).sources(), InstantSource.system());
        } catch (UsageException wrong) {
            wrong.problems().forEach(problem -> problems.addLine(problem.toString()));
        }
    }
}
