package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.command.TypedDuration;
import io.plat.cli.process.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat can-i}: checks whether a request is allowed. */
@Command(name = "can-i", mixinStandardHelpOptions = true)
public final class CanICommand extends PlatCommand {
    @Mixin
    private DecisionOptions decisions = new DecisionOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
    private String target = "";

    @Mixin
    private ScopeOptions scope = new ScopeOptions();

    @Mixin
    private SubjectOptions subject = new SubjectOptions();

    @Option(names = "--field-selector", paramLabel = "SELECTOR")
    private String fieldSelector = "";

    @Option(names = "--label-selector", paramLabel = "SELECTOR")
    private String labelSelector = "";

    @Option(names = {"-q", "--quiet"})
    private boolean quiet;

    @Option(names = "--list")
    private boolean list;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE")
    private @Nullable String file;

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    /** Returns the command for arguments in the plain form ({@link PlainArguments}); empty for all others, which need the full parser. */
    public static Optional<CanICommand> plain(String... arguments) {
        PlainArguments plain = PlainArguments.read(arguments);
        return plain == null ? Optional.empty() : Optional.of(of(plain));
    }

    private static CanICommand of(PlainArguments plain) {
        CanICommand command = new CanICommand();
        command.verb = plain.positional().get(0);
        command.target = plain.positional().get(1);
        command.decisions
                .connection()
                .useConfig(plain.value(PlainArguments.KUBECONFIG), plain.value(PlainArguments.CONTEXT));
        command.scope.namespace = plain.value(PlainArguments.NAMESPACE);
        command.scope.allNamespaces = plain.value(PlainArguments.ALL_NAMESPACES) != null;
        command.subject.user = plain.value(PlainArguments.AS);
        command.subject.groups.addAll(plain.all(PlainArguments.GROUP));
        command.quiet = plain.value(PlainArguments.QUIET) != null;
        return command;
    }

    @Override
    public int run(Program plat) {
        var _ = subject.subject();
        scope.fieldSelector = fieldSelector;
        scope.labelSelector = labelSelector;
        checkForm();
        if (file != null) {
            return new BatchCheck(plat, decisions, subject, scope, quiet).answer(file);
        }
        if (!list) {
            decisions.check(verb, target, scope);
        }
        subject.require(decisions.offline());
        if (list) {
            return new AllowedRules(plat, subject).print(decisions.source(plat, scope.allNamespaces), scope);
        }
        return new SingleCheck(plat, decisions, subject, quiet).answer(verb, target, scope, waiting);
    }

    private void checkForm() {
        boolean hasRequest = !verb.isEmpty() || !target.isEmpty();
        if (list && file != null) {
            throw CommandException.usage("--list: cannot be combined with --filename");
        }
        if ((list || file != null) && hasRequest) {
            throw CommandException.usage(
                    (list ? "--list" : "--filename") + ": cannot be combined with VERB \"" + verb + "\"");
        }
        if (!list && file == null && target.isEmpty()) {
            throw missing((verb.isEmpty() ? "VERB and " : "") + "RESOURCE or /path, or --list, or --filename");
        }
        if (waiting.isSet() && (list || file != null)) {
            throw CommandException.usage("--wait-for: requires exactly one VERB and RESOURCE");
        }
        if (!waiting.isSet() && waiting.timeout != null) {
            throw CommandException.usage("--timeout: requires --wait-for");
        }
        if (list && scope.namespace == null && scope.allNamespaces) {
            throw CommandException.usage(
                    "--list: cannot be combined with --all-namespaces, as it covers one namespace");
        }
    }

    /**
     * Arguments in the most frequent form: {@code can-i VERB RESOURCE} and the flags for namespace, subject and files. Parsing them avoids the
     * command line's parser, whose start is a third of a run. It reports no errors: arguments with any other possible meaning, valid or not, are
     * left to the parser, whose results are the same.
     *
     * @param positional the verb and the resource or path
     * @param flags the values of the flags, by long name; {@code ""} for one without a value
     */
    private record PlainArguments(List<String> positional, Map<String, List<String>> flags) {
        static final String ALL_NAMESPACES = "--all-namespaces";
        static final String AS = "--as";
        static final String CONTEXT = "--context";
        static final String GROUP = "--as-group";
        static final String KUBECONFIG = "--kubeconfig";
        static final String NAMESPACE = "--namespace";
        static final String QUIET = "--quiet";

        private static final String COMMAND = "can-i";

        /** Flags that may precede the command's name too. */
        private static final Set<String> PROGRAM_FLAGS = Set.of(KUBECONFIG, CONTEXT);

        private static final Set<String> COMMAND_FLAGS = Set.of(KUBECONFIG, CONTEXT, NAMESPACE, AS, GROUP);
        private static final Map<String, String> SHORT_FLAGS =
                Map.of("-n", NAMESPACE, "-A", ALL_NAMESPACES, "-q", QUIET);
        private static final Set<String> SWITCHES = Set.of(ALL_NAMESPACES, QUIET);

        /** Parses arguments; returns null if they do not have this form. */
        static @Nullable PlainArguments read(String... arguments) {
            PlainArguments read = new PlainArguments(new ArrayList<>(), new HashMap<>());
            boolean inCommand = false;
            for (int i = 0; i < arguments.length; i++) {
                String word = SHORT_FLAGS.getOrDefault(arguments[i], arguments[i]);
                int equalSign = word.startsWith("--") ? word.indexOf('=') : -1;
                String flag = equalSign > 0 ? word.substring(0, equalSign) : word;
                boolean valid;
                if ((inCommand ? COMMAND_FLAGS : PROGRAM_FLAGS).contains(flag)) {
                    String next = i + 1 < arguments.length ? arguments[i + 1] : "";
                    String value = equalSign > 0 ? word.substring(equalSign + 1) : next;
                    i += equalSign > 0 ? 0 : 1;
                    valid = isPlain(value) && read.put(flag, value);
                } else if (inCommand) {
                    valid = SWITCHES.contains(word) ? read.put(word, "") : isPlain(word) && read.positional.add(word);
                } else {
                    inCommand = word.equals(COMMAND);
                    valid = inCommand;
                }
                if (!valid) {
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

        /** Returns the value of a flag; null if it is not set. */
        @Nullable
        String value(String flag) {
            return all(flag).isEmpty() ? null : all(flag).getFirst();
        }
    }

    /** The flags for the awaited answer and the timeout. */
    static final class WaitOptions {
        private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

        enum Answer {
            allow,
            deny
        }

        @Option(names = "--wait-for", paramLabel = "ANSWER")
        @Nullable
        Answer waitFor;

        @Option(names = "--timeout", paramLabel = "DURATION")
        @Nullable
        String timeout;

        boolean isSet() {
            return waitFor != null;
        }

        /** Returns whether this answer is the awaited one. */
        boolean isMet(boolean allowed) {
            return allowed == (waitFor == Answer.allow);
        }

        /**
         * Returns the timeout.
         *
         * @throws io.plat.cli.process.CommandException if it is not a duration
         */
        Duration timeout() {
            return timeout == null ? DEFAULT_TIMEOUT : TypedDuration.parse("--timeout", timeout);
        }

        String timeoutWarning() {
            return "timed out after " + (timeout == null ? "1m" : timeout) + " waiting for \"" + waitFor + "\"";
        }
    }
}
