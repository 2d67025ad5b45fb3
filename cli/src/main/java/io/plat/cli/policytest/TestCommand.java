package io.plat.cli.policytest;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.FurtherFormats;
import io.plat.cli.Plat;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicyReader;
import io.plat.engine.Authorizer;
import io.plat.review.source.ProblemsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat test}: whether policies decide as their tests expect, and how much of them the tests hold. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description =
                "Runs tests of policies: documents of kind PolicyTest with policies (paths from the file's folder), users (with their"
                        + " groups) and cases (user, verb, resource or path, expect: allow or deny).",
        footer = {
            "",
            "A case's name is the name of its object too where it is one word; resourceName tells another. Formats besides text, json and"
                    + " yaml: junit.",
            "",
            "Exit status: 1 where a case fails, or a threshold is not reached.",
            "",
            "Examples:",
            "  plat test policy/tests.yaml",
            "  plat test policy/*-test.yaml --coverage --mutation-threshold 80",
            "  plat test policy/tests.yaml -o junit > report.xml"
        })
public final class TestCommand implements Callable<Integer>, FurtherFormats {
    private static final String JUNIT = "junit";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "files with tests")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--coverage",
            description = "tell which rules and lines allow no case, and which changes of them no case would notice")
    private boolean coverage;

    @Option(
            names = "--coverage-threshold",
            paramLabel = "PERCENT",
            description = "fail where fewer of the rules and lines allow a case")
    private @Nullable Integer coverageThreshold;

    @Option(
            names = "--mutation-threshold",
            paramLabel = "PERCENT",
            description = "fail where fewer of the changes (a rule taken away, or made wider) break a case")
    private @Nullable Integer mutationThreshold;

    @Override
    public List<String> furtherFormats() {
        return List.of(JUNIT);
    }

    @Override
    public Integer call() {
        Plat plat = Plat.of(Objects.requireNonNull(spec));
        check("--coverage-threshold", coverageThreshold);
        check("--mutation-threshold", mutationThreshold);
        TestReport report = run(plat);
        List<String> missed = missed(report.strength());
        if (plat.formatWord().equals(JUNIT)) {
            plat.report().print(JUnitReport.of(report.results(), missed));
        } else {
            switch (plat.format()) {
                case TEXT -> report.print(plat.report());
                case JSON, YAML -> plat.report().printDocument(JsonAnswer.of(report::write), plat.format());
            }
        }
        missed.forEach(plat.report()::warn);
        return report.failed() == 0 && missed.isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static void check(String flag, @Nullable Integer percent) {
        if (percent != null && (percent < 0 || percent > 100)) {
            throw CommandException.usage(flag + ": expected 0 to 100, found " + percent);
        }
    }

    /** The thresholds that are not reached, in words. */
    private List<String> missed(@Nullable Strength strength) {
        List<String> missed = new ArrayList<>();
        if (strength != null && coverageThreshold != null && strength.coverage() < coverageThreshold) {
            missed.add("coverage " + strength.coverage() + " % is below --coverage-threshold " + coverageThreshold);
        }
        if (strength != null && mutationThreshold != null && strength.noticed() < mutationThreshold) {
            missed.add("mutation " + strength.noticed() + " % is below --mutation-threshold " + mutationThreshold);
        }
        return missed;
    }

    private TestReport run(Plat plat) {
        boolean measured = coverage || coverageThreshold != null || mutationThreshold != null;
        Map<String, List<Result>> results = new LinkedHashMap<>();
        // Tests of one policy hold it together.
        Map<List<Path>, List<Result>> byPolicy = new LinkedHashMap<>();
        Map<List<Path>, PolicyDocuments> policies = new LinkedHashMap<>();
        Map<List<Path>, Authorizer> authorizers = new LinkedHashMap<>();
        for (TestFile test : read(plat)) {
            PolicyDocuments policy = policies.computeIfAbsent(test.policies(), PolicyReader::read);
            Authorizer authorizer = authorizers.computeIfAbsent(test.policies(), one -> policy.authorizer());
            List<Result> some =
                    test.cases().stream().map(one -> Result.of(one, authorizer)).toList();
            results.computeIfAbsent(test.name(), one -> new ArrayList<>()).addAll(some);
            byPolicy.computeIfAbsent(test.policies(), one -> new ArrayList<>()).addAll(some);
        }
        policies.values()
                .forEach(policy ->
                        policy.warnings().forEach(warning -> plat.report().warn(warning.toString())));
        return new TestReport(results, measured ? strength(policies, byPolicy) : null);
    }

    private static Strength strength(Map<List<Path>, PolicyDocuments> policies, Map<List<Path>, List<Result>> results) {
        Strength all = new Strength(0, List.of(), 0, List.of());
        for (Map.Entry<List<Path>, PolicyDocuments> policy : policies.entrySet()) {
            all = all.and(Strength.of(Units.of(policy.getValue()), results.getOrDefault(policy.getKey(), List.of())));
        }
        return all;
    }

    private List<TestFile> read(Plat plat) {
        List<TestFile> tests = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                List<TestFile> read = TestFileReader.read(file);
                if (read.stream().allMatch(test -> test.cases().isEmpty())) {
                    plat.report().warn(file + ": no case in it, nothing of it is tested");
                }
                tests.addAll(read);
            } catch (ProblemsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw CommandException.couldNotTell(String.join("\n", problems));
        }
        return tests;
    }
}
