package io.plat.cli.cani;

import io.plat.cli.AskingOptions;
import io.plat.cli.CommandException;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.SubjectOptions;
import io.plat.cli.ask.Source;
import io.plat.review.UserInfo;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat can-i}: is something allowed? */
@Command(
        name = "can-i",
        mixinStandardHelpOptions = true,
        description = "Says whether something is allowed: yes, or no with the reason.",
        footer = {
            "",
            "Examples:",
            "  plat can-i get pods -n team-a",
            "  plat can-i update deployments.apps/web --as alice --as-group developers",
            "  plat can-i get pods/log -A",
            "  plat can-i get /metrics",
            "  plat can-i --list -n team-a",
            "  plat can-i create pods --wait-for allow --timeout 30s",
            "  plat can-i -f questions.txt",
            "  plat can-i create secrets --as ci --authorization-rbac-path policy/",
            "",
            "Exit status: 0 yes, 1 no; of many 1 if any is no; with --wait-for 0 if that came, else 1."
        })
public final class CanICommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private AskingOptions asking = new AskingOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "VERB", description = "such as get, list, create, delete")
    private String verb = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH",
            description = "a resource type, one object of it, or a path that is no resource")
    private String target = "";

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

    @Option(
            names = {"-q", "--quiet"},
            description = "print nothing, answer by the exit status alone")
    private boolean quiet;

    @Option(names = "--list", description = "list everything that is allowed in the namespace, and on paths")
    private boolean list;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "answer every line of a file: VERB RESOURCE and the flags of a question; - is standard input")
    private @Nullable String file;

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    /** The command of arguments that are a plain question ({@link PlainWords}); empty for all others, which have to be parsed. */
    public static Optional<CanICommand> plain(String... arguments) {
        PlainWords words = PlainWords.read(arguments);
        return words == null ? Optional.empty() : Optional.of(of(words));
    }

    private static CanICommand of(PlainWords words) {
        CanICommand command = new CanICommand();
        command.verb = words.positional().get(0);
        command.target = words.positional().get(1);
        command.asking
                .connection()
                .by(words.values().get(PlainWords.KUBECONFIG), words.values().get(PlainWords.CONTEXT));
        command.where.namespace = words.values().get(PlainWords.NAMESPACE);
        command.where.allNamespaces = words.switches().contains(PlainWords.ALL_NAMESPACES);
        command.who.user = words.values().get(PlainWords.AS);
        command.who.groups.addAll(words.groups());
        command.quiet = words.switches().contains(PlainWords.QUIET);
        return command;
    }

    @Override
    public Integer call() {
        return call(Plat.of(spec));
    }

    /** Runs as a command of this program; its exit status. */
    public int call(Plat program) {
        Optional<UserInfo> subject = who.subject();
        checkForm();
        if (file != null) {
            return new ManyQuestions(program, asking, who, quiet).answer(file, where);
        }
        if (!list) {
            asking.check(verb, target, where);
        }
        if (asking.offline() && subject.isEmpty()) {
            throw CommandException.usage("--as: required with policy files: without a server nobody is logged in");
        }
        Source source = where.allNamespaces ? asking.source(program) : asking.sourceOfOne(program);
        if (list) {
            return new AllowedRules(program, source, who).print(where);
        }
        OneQuestion question = new OneQuestion(program, asking, who, quiet);
        return waiting.given()
                ? question.await(source, () -> asking.sourceOfOne(program), verb, target, where, waiting)
                : question.answer(source, verb, target, where);
    }

    private void checkForm() {
        boolean asks = !verb.isEmpty() || !target.isEmpty();
        if (list && file != null) {
            throw CommandException.usage("--list: contradicts --filename");
        }
        if (file != null && asks) {
            throw CommandException.usage("--filename: the file holds the questions; found \"" + verb + "\" besides");
        }
        if (!list && file == null && target.isEmpty()) {
            throw CommandException.usage("missing VERB and RESOURCE or /path; or give --list or --filename");
        }
        if (waiting.given() && (list || file != null)) {
            throw CommandException.usage("--wait-for: goes with one VERB and RESOURCE");
        }
        if (!waiting.given() && waiting.timeoutGiven()) {
            throw CommandException.usage("--timeout: goes with --wait-for");
        }
        if (list && where.namespace == null && where.allNamespaces) {
            throw CommandException.usage("--list: is about one namespace; give --namespace");
        }
    }
}
