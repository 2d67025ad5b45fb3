package io.plat.cli.cani;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.QuestionOptions;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.process.CommandException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat can-i}: is something allowed? */
@Command(name = "can-i", mixinStandardHelpOptions = true)
public final class CanICommand extends PlatCommand {
    @Mixin
    private DecisionOptions asking = new DecisionOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
    private String target = "";

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

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

    /** The command of arguments that are a plain question ({@link PlainArguments}); empty for all others, which have to be parsed. */
    public static Optional<CanICommand> plain(String... arguments) {
        PlainArguments words = PlainArguments.read(arguments);
        return words == null ? Optional.empty() : Optional.of(of(words));
    }

    private static CanICommand of(PlainArguments words) {
        CanICommand command = new CanICommand();
        command.verb = words.positional().get(0);
        command.target = words.positional().get(1);
        command.asking.connection().by(words.value(PlainArguments.KUBECONFIG), words.value(PlainArguments.CONTEXT));
        command.where.namespace = words.value(PlainArguments.NAMESPACE);
        command.where.allNamespaces = words.value(PlainArguments.ALL_NAMESPACES) != null;
        command.who.user = words.value(PlainArguments.AS);
        command.who.groups.addAll(words.all(PlainArguments.GROUP));
        command.quiet = words.value(PlainArguments.QUIET) != null;
        return command;
    }

    @Override
    public int run(Program plat) {
        var _ = who.subject();
        checkForm();
        if (file != null) {
            return new BatchCheck(plat, asking, who, quiet).answer(file, where);
        }
        if (!list) {
            asking.check(verb, target, where);
        }
        who.require(asking.offline());
        if (list) {
            return new AllowedRules(plat, who).print(asking.source(plat, where.allNamespaces), where);
        }
        return new SingleCheck(plat, asking, who, quiet).answer(verb, target, where, waiting);
    }

    private void checkForm() {
        boolean asks = !verb.isEmpty() || !target.isEmpty();
        if (list && file != null) {
            throw CommandException.usage("--list: contradicts --filename");
        }
        if (file != null && asks) {
            throw CommandException.usage("--filename: the file has the requests; found \"" + verb + "\" besides");
        }
        if (!list && file == null && target.isEmpty()) {
            throw CommandException.usage("missing VERB and RESOURCE or /path; or give --list or --filename");
        }
        if (waiting.given() && (list || file != null)) {
            throw CommandException.usage("--wait-for: requires exactly one VERB and RESOURCE");
        }
        if (!waiting.given() && waiting.timeout != null) {
            throw CommandException.usage("--timeout: requires --wait-for");
        }
        if (list && where.namespace == null && where.allNamespaces) {
            throw CommandException.usage("--list: is about one namespace; give --namespace");
        }
    }
}
