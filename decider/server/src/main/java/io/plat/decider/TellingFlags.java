package io.plat.decider;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.util.List;
import java.util.Set;

/** The flags about who is told what decisions go by. */
final class TellingFlags {
    private static final String FULL = "full";
    private static final String NONE = "none";

    private final Flag<String> reasons;
    private final Flag<List<String>> explain;

    TellingFlags(FlagSet set) {
        reasons = set.value(
                "reasons",
                FlagType.word(List.of(FULL, NONE)),
                FULL,
                "Whether answers name the line, the rule and the binding that decided; none tells only --explain-client-names.");
        explain = set.list(
                "explain-client-names",
                FlagType.TEXT.labelled("NAME"),
                "Common names or DNS names of the clients that may ask for explanations and listings of subjects, email:NAME or URI:NAME "
                        + "for other alternative names; if empty, any that may ask, or with --reasons=none nobody.");
    }

    Telling telling(FlagValues values) {
        return new Telling(values.get(reasons).equals(FULL), Set.copyOf(values.get(explain)));
    }
}
