package io.plat.cli.why;

import io.plat.cli.AskingOptions;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.ask.Source;
import io.plat.cli.question.Question;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The words of a command that is about one access: a verb, what it is done to, and where. */
public final class OneAccess {
    @Mixin
    private AskingOptions asking = new AskingOptions();

    @Parameters(index = "0", paramLabel = "VERB", description = "such as get, list, create, delete")
    private String verb = "";

    @Parameters(
            index = "1",
            paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH",
            description = "a resource type, one object of it, or a path that is no resource")
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
     * @throws io.plat.cli.CommandException if it can't be used
     */
    Source source(Plat program) {
        return asking.sourceOfOne(program);
    }

    /**
     * The question that the words mean; what they hold that nothing knows is warned about.
     *
     * @throws io.plat.cli.CommandException if they mean none
     */
    Question question(Plat program, Source source) {
        Question question = asking.question(source, verb, target, where);
        question.warnings().forEach(program.report()::warn);
        question.unknown().forEach(program.report()::warn);
        return question;
    }
}
