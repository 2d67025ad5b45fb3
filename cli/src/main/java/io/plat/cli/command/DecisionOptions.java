package io.plat.cli.command;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.PolicyFileSource;
import io.plat.cli.ask.ServerSource;
import io.plat.cli.ask.SubjectCheck;
import io.plat.cli.process.CommandException;
import io.plat.cli.question.Question;
import io.plat.cli.question.QuestionParser;
import io.plat.cli.question.ResourceTypes;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.ServerChoice;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of a command that requests decisions: the source of decisions, and the strictness of names. */
public final class DecisionOptions {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--strict")
    private boolean strict;

    /** Returns the flags of the connection. */
    public ConnectionOptions connection() {
        return connection;
    }

    /** Returns whether policy files are used instead of a server. */
    public boolean offline() {
        return policy.given();
    }

    /** Returns whether unknown names are errors. */
    public boolean strict() {
        return strict;
    }

    /**
     * Returns the source of decisions.
     *
     * @param indexed whether policy files are indexed: for one or two requests an index costs more than it saves
     * @throws CommandException if it can't be used
     */
    public DecisionSource source(Program program, boolean indexed) {
        if (policy.given()) {
            return new PolicyFileSource(
                    policy.policy(program, indexed).authorizer(),
                    program.namespace(connection),
                    program.trace());
        }
        ServerChoice choice = program.serverChoice(connection);
        return new ServerSource(choice.connect(program.trace()), choice.namespace());
    }

    /** Returns the name of a source: the server's URL, or the policy files. */
    public String origin(DecisionSource source) {
        return source instanceof ServerSource server
                ? server.connection().server().toString()
                : policy.files();
    }

    /** Refuses words that mean no question, before any file or server is looked for. */
    public void check(String verb, String target, QuestionOptions where) {
        Objects.requireNonNull(new QuestionParser(ResourceTypes.builtIn()).parse(verb, target, where.scope("")));
    }

    /**
     * Parses a request.
     *
     * @throws CommandException if it is invalid, or has unknown names under {@code --strict}
     */
    public Question question(DecisionSource source, String verb, String target, QuestionOptions where) {
        QuestionParser parser = new QuestionParser(ResourceTypes.builtIn(), source.furtherTypes());
        Question question = parser.parse(verb, target, where.scope(source.namespace()));
        refuse(question.unknown());
        return question;
    }

    /** Throws for a user or groups that nothing names, under {@code --strict}. */
    public void refuseUnknown(DecisionSource source, UserInfo user, List<String> groups) {
        if (strict) {
            refuse(SubjectCheck.unknown(source, user, groups));
        }
    }

    /** Throws for a denied user without groups, under {@code --strict}: a server has no list of users, so that it may be misspelled. */
    public void refuseUnsure(DecisionSource source, UserInfo user, List<String> groups, boolean allowed) {
        if (source instanceof ServerSource && !allowed && groups.isEmpty() && !user.name().startsWith("system:")) {
            refuse(List.of("whether there is a user " + Quoted.of(user.name())
                    + " is unknown, as a server has no list of users; give the user's groups with --as-group"));
        }
    }

    /** Throws for unknown names, under {@code --strict}. */
    public void refuse(List<String> unknown) {
        if (strict && !unknown.isEmpty()) {
            throw CommandException.unknown("--strict: " + String.join("\n--strict: ", unknown));
        }
    }
}
