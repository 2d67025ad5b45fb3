package io.plat.cli.policytest;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicyPathReader;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.engine.Authorizer;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat test}: runs the tests of policies, and measures their strength. */
@Command(name = "test", mixinStandardHelpOptions = true)
public final class TestCommand extends PlatCommand {
    private static final String JUNIT = "junit";
    private static final Pattern MANIFEST = Pattern.compile("\\.(?:ya?ml|json)$");
    private static final Pattern KIND = Pattern.compile("\"?kind\"?\\s*:\\s*\"?" + TestFileReader.KIND + "\\b");

    @Parameters(paramLabel = "FILE", arity = "1..*")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--verbose")
    private boolean verbose;

    @Option(names = "--init")
    private boolean init;

    @Option(names = "--coverage")
    private boolean coverage;

    @Option(names = "--coverage-threshold", paramLabel = "PERCENT")
    private @Nullable Integer coverageThreshold;

    @Option(names = "--mutation-threshold", paramLabel = "PERCENT")
    private @Nullable Integer mutationThreshold;

    @Override
    protected List<String> additionalFormats() {
        return List.of(JUNIT);
    }

    @Override
    public int run(Program plat) {
        check("--coverage-threshold", coverageThreshold);
        check("--mutation-threshold", mutationThreshold);
        if (init) {
            plat.report().print(TestDraft.yaml(plat.policy(files), files));
            return ExitStatus.YES;
        }
        TestReport report = report(plat);
        List<String> missed = missed(report.strength());
        if (plat.formatWord().equals(JUNIT)) {
            plat.report().print(TestReport.JUnitReport.of(report.results(), missed));
        } else {
            plat.print(to -> report.print(to, verbose), () -> JsonAnswer.of(report.document()));
        }
        plat.report().warn(missed);
        return report.failed() == 0 && missed.isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static void check(String flag, @Nullable Integer percent) {
        if (percent != null && (percent < 0 || percent > 100)) {
            throw CommandException.usage(flag + ": expected 0 to 100, found " + percent);
        }
    }

    /** Returns the thresholds that are not reached, as text. */
    private List<String> missed(@Nullable TestStrength strength) {
        List<String> missed = new ArrayList<>();
        if (strength != null && coverageThreshold != null && strength.coverage() < coverageThreshold) {
            missed.add("coverage " + strength.coverage() + " % is below --coverage-threshold " + coverageThreshold);
        }
        if (strength != null && mutationThreshold != null && strength.detected() < mutationThreshold) {
            missed.add("mutation " + strength.detected() + " % is below --mutation-threshold " + mutationThreshold);
        }
        return missed;
    }

    private TestReport report(Program plat) {
        boolean measured = coverage || coverageThreshold != null || mutationThreshold != null;
        Map<String, List<CaseResult>> results = new LinkedHashMap<>();
        // Tests of one policy are evaluated together.
        Map<List<Path>, PolicyResults> policies = new LinkedHashMap<>();
        for (TestFileReader.TestFile test : read(plat)) {
            PolicyResults tested = policies.computeIfAbsent(test.policies(), PolicyResults::read);
            KnownNames known = tested.known().with(test.declared());
            List<CaseResult> some = new ArrayList<>();
            Set<String> unknown = new LinkedHashSet<>();
            for (TestFileReader.TestFile.Case one : test.cases()) {
                KnownNames.UnknownNames names = known.in(one);
                names.warnings().forEach(message -> unknown.add(test.name() + ": " + message));
                some.add(CaseResult.of(one, tested.authorizer(), names.errors()));
            }
            plat.report().warn(List.copyOf(unknown));
            results.computeIfAbsent(test.name(), _ -> new ArrayList<>()).addAll(some);
            tested.results().addAll(some);
        }
        policies.values().forEach(tested -> plat.report().warn(tested.policy().warnings()));
        if (results.values().stream().allMatch(List::isEmpty)) {
            throw CommandException.undetermined("no cases to test");
        }
        return new TestReport(
                results,
                measured
                        ? policies.values().stream()
                                .map(tested -> TestStrength.of(PolicyUnit.of(tested.policy()), tested.results()))
                                .reduce(TestStrength.NONE, TestStrength::and)
                        : null);
    }

    /** A policy, the names in it, and the results of all cases about it. */
    private record PolicyResults(
            PolicyDocuments policy, Authorizer authorizer, KnownNames known, List<CaseResult> results) {
        static PolicyResults read(List<Path> paths) {
            PolicyDocuments policy = PolicyPathReader.read(paths);
            Authorizer authorizer = policy.authorizer();
            return new PolicyResults(policy, authorizer, KnownNames.of(policy, authorizer), new ArrayList<>());
        }
    }

    /** Returns a file, or the files with tests in a directory and the directories below. */
    private static Stream<Path> inDirectories(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        List<Path> tests;
        try (Stream<Path> all = Files.walk(path)) {
            tests = all.filter(file -> MANIFEST.matcher(file.toString()).find() && Files.isRegularFile(file))
                    .filter(TestCommand::hasTest)
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw CommandException.io("cannot list \"" + path + "\"", e);
        }
        if (tests.isEmpty()) {
            throw CommandException.undetermined(
                    path + ": no file of kind " + TestFileReader.KIND + " in this directory");
        }
        return tests.stream();
    }

    private static boolean hasTest(Path file) {
        try {
            return KIND.matcher(SourceReader.readText(file)).find();
        } catch (ProblemsException unreadable) {
            // Reading it again reports the reason.
            return true;
        }
    }

    private List<TestFileReader.TestFile> read(Program plat) {
        List<TestFileReader.TestFile> tests = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path file : files.stream().flatMap(TestCommand::inDirectories).toList()) {
            try {
                List<TestFileReader.TestFile> read = TestFileReader.read(file);
                if (read.stream().allMatch(test -> test.cases().isEmpty())) {
                    plat.report().warn(file + ": no cases");
                }
                tests.addAll(read);
            } catch (ProblemsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw CommandException.undetermined(String.join("\n", problems));
        }
        return tests;
    }
}
