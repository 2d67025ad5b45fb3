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
    DecisionOptions asking = new DecisionOptions();

    @Parameters(index = "0", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
    private String target = "";

    @Mixin
    QuestionOptions where = new QuestionOptions();

    /** Returns the source of decisions; words that mean no request are rejected before any file or server is looked for. */
    DecisionSource source(Program program) {
        asking.check(verb, target, where);
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
