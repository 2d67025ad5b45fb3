package io.plat.cli.cani;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments in the most frequent form: {@code can-i VERB RESOURCE} and the flags for namespace, subject and files. Parsing them avoids the
 * command line's parser, whose start is a third of a run. It reports no errors: arguments with any other possible meaning, valid or not, are
 * left to the parser, whose results are the same.
 *
 * @param positional the verb and the resource or path
 * @param flags the values of the flags, by long name; {@code ""} for one without a value
 */
record PlainArguments(List<String> positional, Map<String, List<String>> flags) {
    static final String ALL_NAMESPACES = "--all-namespaces";
    static final String AS = "--as";
    static final String CONTEXT = "--context";
    static final String GROUP = "--as-group";
    static final String KUBECONFIG = "--kubeconfig";
    static final String NAMESPACE = "--namespace";
    static final String QUIET = "--quiet";

    private static final String COMMAND = "can-i";

    /** Flags that may precede the command's name too. */
    private static final Set<String> OF_THE_PROGRAM = Set.of(KUBECONFIG, CONTEXT);

    private static final Set<String> OF_THE_COMMAND = Set.of(KUBECONFIG, CONTEXT, NAMESPACE, AS, GROUP);
    private static final Map<String, String> SHORT = Map.of("-n", NAMESPACE, "-A", ALL_NAMESPACES, "-q", QUIET);
    private static final Set<String> SWITCHES = Set.of(ALL_NAMESPACES, QUIET);

    /** Reads them; null where they are not of this form. */
    static @Nullable PlainArguments read(String... arguments) {
        PlainArguments read = new PlainArguments(new ArrayList<>(), new HashMap<>());
        boolean inCommand = false;
        for (int i = 0; i < arguments.length; i++) {
            String word = SHORT.getOrDefault(arguments[i], arguments[i]);
            int sign = word.startsWith("--") ? word.indexOf('=') : -1;
            String flag = sign > 0 ? word.substring(0, sign) : word;
            boolean taken;
            if ((inCommand ? OF_THE_COMMAND : OF_THE_PROGRAM).contains(flag)) {
                String next = i + 1 < arguments.length ? arguments[i + 1] : "";
                String value = sign > 0 ? word.substring(sign + 1) : next;
                i += sign > 0 ? 0 : 1;
                taken = isPlain(value) && read.put(flag, value);
            } else if (inCommand) {
                taken = SWITCHES.contains(word) ? read.put(word, "") : isPlain(word) && read.positional.add(word);
            } else {
                inCommand = word.equals(COMMAND);
                taken = inCommand;
            }
            if (!taken) {
                return null;
            }
        }
        return read.positional.size() == 2 ? read : null;
    }

    /** Adds a flag and returns whether it is allowed; repetition is not, except for groups. */
    private boolean put(String flag, String value) {
        List<String> values = new ArrayList<>(all(flag));
        values.add(value);
        flags.put(flag, values);
        return values.size() == 1 || flag.equals(GROUP);
    }

    /** Returns whether an argument is plain: no flag, no argument file, no command. */
    private static boolean isPlain(String word) {
        return !word.isEmpty() && word.charAt(0) != '-' && word.charAt(0) != '@' && !word.equals(COMMAND);
    }

    List<String> all(String flag) {
        return flags.getOrDefault(flag, List.of());
    }

    /** The value of a flag; null where it is not given. */
    @Nullable
    String value(String flag) {
        return all(flag).isEmpty() ? null : all(flag).getFirst();
    }
}
