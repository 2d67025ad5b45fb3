package io.plat.cli.why;

import io.plat.cli.ask.Source;
import io.plat.cli.command.AskingOptions;
import io.plat.cli.command.Program;
import io.plat.cli.command.QuestionOptions;
import io.plat.cli.question.Question;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The words of a command that is about one access: a verb, what it is done to, and where. */
public final class OneAccess {
    @Mixin
    private AskingOptions asking = new AskingOptions();

    @Parameters(index = "0", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "1", paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH")
    private String target = "";

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    /** Whether policy files are asked and no server. */
    boolean offline() {
        return asking.offline();
    }

    /** Refuses words that mean no question, before any file or server is looked for. */
    void check() {
        asking.check(verb, target, where);
    }

    /**
     * What is asked.
     *
     * @throws io.plat.cli.process.CommandException if it can't be used
     */
    Source source(Program program) {
        return asking.source(program, false);
    }

    /**
     * The question that the words mean; what they hold that nothing knows is warned about.
     *
     * @throws io.plat.cli.process.CommandException if they mean none
     */
    Question question(Program program, Source source) {
        Question question = asking.question(source, verb, target, where);
        program.report().warn(question.warnings());
        program.report().warn(question.unknown());
        return question;
    }
}
