package io.plat.cli.command;

import io.plat.cli.ask.AskedServer;
import io.plat.cli.ask.PolicyFiles;
import io.plat.cli.ask.Source;
import io.plat.cli.process.CommandException;
import io.plat.cli.question.Question;
import io.plat.cli.question.QuestionParser;
import io.plat.cli.question.ResourceTypes;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.ServerChoice;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a command that asks about access: what is asked, and how strictly the words of a question are taken. */
public final class AskingOptions {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--strict")
    private boolean strict;

    /** The flags that say which server. */
    public ConnectionOptions connection() {
        return connection;
    }

    /** Whether policy files are asked and no server. */
    public boolean offline() {
        return policy.given();
    }

    /** Whether what nothing knows is refused. */
    public boolean strict() {
        return strict;
    }

    /**
     * What is asked.
     *
     * @param indexed whether policy files are indexed: for one question or two an index takes longer than the answers
     * @throws CommandException if it can't be used
     */
    public Source source(Program program, boolean indexed) {
        if (policy.given()) {
            String namespace = program.surroundings().environment().getOrDefault("PLAT_NAMESPACE", "");
            return new PolicyFiles(
                    policy.policy(program.report(), indexed).authorizer(),
                    namespace.isEmpty() ? "default" : namespace,
                    program.trace());
        }
        ServerChoice choice = program.serverChoice(connection);
        return new AskedServer(choice.connect(program.trace()), choice.namespace());
    }

    /** Refuses words that mean no question, before any file or server is looked for. */
    public void check(String verb, String target, QuestionOptions where) {
        Objects.requireNonNull(new QuestionParser(ResourceTypes.builtIn()).parse(verb, target, where.scope("")));
    }

    /**
     * The question that words mean.
     *
     * @throws CommandException if they mean none, or under {@code --strict} hold what nothing knows
     */
    public Question question(Source source, String verb, String target, QuestionOptions where) {
        QuestionParser parser = new QuestionParser(ResourceTypes.builtIn(), source.furtherTypes());
        Question question = parser.parse(verb, target, where.scope(source.namespace()));
        refuse(question.unknown());
        return question;
    }

    /** Refuses what nothing knows, under {@code --strict}. */
    public void refuse(List<String> unknown) {
        if (strict && !unknown.isEmpty()) {
            throw CommandException.unknown("--strict: " + String.join("\n--strict: ", unknown));
        }
    }
}
