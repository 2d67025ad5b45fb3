package io.plat.cli.why;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.Program;
import io.plat.cli.command.QuestionOptions;
import io.plat.cli.question.Question;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Arguments of a command about one access: verb, resource and namespace. */
public final class AccessArguments {
    @Mixin
    private DecisionOptions asking = new DecisionOptions();

    @Parameters(index = "0", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
    private String target = "";

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    /** Returns the flags of the source of decisions. */
    DecisionOptions asking() {
        return asking;
    }

    /** Returns the flags of the namespace. */
    QuestionOptions where() {
        return where;
    }

    /** Returns whether policy files are used instead of a server. */
    boolean offline() {
        return asking.offline();
    }

    /** Refuses words that mean no question, before any file or server is looked for. */
    void check() {
        asking.check(verb, target, where);
    }

    /**
     * Returns the source of decisions.
     *
     * @throws io.plat.cli.process.CommandException if it can't be used
     */
    DecisionSource source(Program program) {
        return asking.source(program, false);
    }

    /**
     * Parses the request; unknown names are warned about.
     *
     * @throws io.plat.cli.process.CommandException if it is invalid
     */
    Question question(Program program, DecisionSource source) {
        Question question = asking.question(source, verb, target, where);
        program.report().warn(question.warnings());
        program.report().warn(question.unknown());
        return question;
    }
}
