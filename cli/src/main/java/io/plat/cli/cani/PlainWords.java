package io.plat.cli.cani;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words of a question in the form that most have: {@code can-i VERB RESOURCE} and the flags that say where, about whom and by
 * which file. Reading them takes no part of the command line's parser, whose start is a third of a run. It refuses nothing:
 * words of which anything else could be meant, right or wrong, are left to the parser, which what is read here agrees with.
 *
 * @param positional the verb and the resource or path
 * @param values the values of flags that may be given once, by the flag's long name
 * @param groups the values of {@code --as-group}
 * @param switches the flags without a value that are given, by their long name
 */
record PlainWords(List<String> positional, Map<String, String> values, List<String> groups, Set<String> switches) {
    static final String ALL_NAMESPACES = "--all-namespaces";
    static final String AS = "--as";
    static final String CONTEXT = "--context";
    static final String KUBECONFIG = "--kubeconfig";
    static final String NAMESPACE = "--namespace";
    static final String QUIET = "--quiet";

    private static final String COMMAND = "can-i";
    private static final String GROUP = "--as-group";

    /** Flags that stand before the command's name too. */
    private static final Set<String> OF_THE_PROGRAM = Set.of(KUBECONFIG, CONTEXT);

    private static final Set<String> OF_THE_COMMAND = Set.of(KUBECONFIG, CONTEXT, NAMESPACE, AS, GROUP);

    private static final Map<String, String> SHORT = Map.of("-n", NAMESPACE, "-A", ALL_NAMESPACES, "-q", QUIET);
    private static final Set<String> SWITCHES = Set.of(ALL_NAMESPACES, QUIET);

    PlainWords {
        positional = List.copyOf(positional);
        values = Map.copyOf(values);
        groups = List.copyOf(groups);
        switches = Set.copyOf(switches);
    }

    /** Reads them; null where they are not of this form. */
    static @Nullable PlainWords read(String... arguments) {
        Reading reading = new Reading();
        for (int i = 0; i < arguments.length; i++) {
            String word = arguments[i];
            String flag = SHORT.getOrDefault(word, word);
            boolean taken;
            if (reading.takesValue(flag)) {
                i++;
                taken = i < arguments.length && reading.value(flag, arguments[i]);
            } else {
                taken = reading.word(flag);
            }
            if (!taken) {
                return null;
            }
        }
        return reading.end();
    }

    /** What was read so far. */
    private static final class Reading {
        private final List<String> positional = new ArrayList<>();
        private final Map<String, String> values = new HashMap<>();
        private final List<String> groups = new ArrayList<>();
        private final Set<String> switches = new HashSet<>();
        private boolean inCommand;

        boolean takesValue(String flag) {
            return (inCommand ? OF_THE_COMMAND : OF_THE_PROGRAM).contains(flag);
        }

        /** Whether a word that is no flag with its value behind it could be taken. */
        boolean word(String word) {
            int sign = word.indexOf('=');
            if (word.startsWith("--") && sign > 0) {
                String flag = word.substring(0, sign);
                return takesValue(flag) && value(flag, word.substring(sign + 1));
            }
            if (!inCommand) {
                inCommand = word.equals(COMMAND);
                return inCommand;
            }
            return SWITCHES.contains(word) ? switches.add(word) : isPlain(word) && positional.add(word);
        }

        /** Whether a flag's value could be taken; a flag that is repeated is not. */
        boolean value(String flag, String value) {
            return isPlain(value) && (flag.equals(GROUP) ? groups.add(value) : values.putIfAbsent(flag, value) == null);
        }

        /** Whether a word can be nothing but itself: no flag, no file of arguments, no command. */
        private static boolean isPlain(String word) {
            return !word.isEmpty() && word.charAt(0) != '-' && word.charAt(0) != '@' && !word.equals(COMMAND);
        }

        @Nullable
        PlainWords end() {
            return positional.size() == 2 ? new PlainWords(positional, values, groups, switches) : null;
        }
    }
}
