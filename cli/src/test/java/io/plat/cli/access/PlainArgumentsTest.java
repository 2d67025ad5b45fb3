package io.plat.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.Plat;
import io.plat.cli.process.Environment;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/** Arguments in the plain form are parsed like by the full parser, and all others are left to it. */
class PlainArgumentsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "can-i get pods",
                "can-i get pods -n team-a",
                "can-i get /metrics -q",
                "--kubeconfig F can-i get pods",
                "--kubeconfig=F --context=c can-i get pods -A",
                "can-i get pods --namespace=team-a --kubeconfig F --context c --quiet",
                "can-i --as alice --as-group a get --as-group=b pods",
                "can-i get pods --as=why --all-namespaces",
                "can-i get pods --as a=b"
            })
    void plainRequestsAreParsed(String line) {
        String[] arguments = line.split(" ");
        assertThat(read(arguments)).isPresent().isEqualTo(parsed(arguments));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "can-i",
                "can-i get",
                "can-i get pods web",
                "can-i get pods --help",
                "can-i get pods -h",
                "can-i get pods -o json",
                "can-i get pods --list",
                "can-i get pods --as",
                "can-i get pods --as=",
                "can-i get pods --as @file",
                "can-i get @file",
                "can-i get pods --as --quiet",
                "can-i get pods -n a -n b",
                "can-i get pods -n a --namespace=b",
                "can-i get pods -q -q",
                "can-i get pods -A=true",
                "can-i get pods -nteam",
                "can-i -qA get pods",
                "can-i get -- pods",
                "can-i get can-i",
                "-n team can-i get pods",
                "--kubeconfig can-i can-i get pods",
                "--kubeconfig F can-i get pods --kubeconfig G",
                "whoami get pods",
                "get pods can-i",
                "can-i get pods --authorization-rbac-path=x",
                "can-i get pods --subresource=log",
                "can-i get pods --strict",
                "can-i get pods --nonsense"
            })
    void otherArgumentsAreLeftToTheFullParser(String line) {
        assertThat(CanICommand.plain(line.split(" "))).isEmpty();
    }

    @Property(tries = 400)
    void agreesWithTheFullParser(@ForAll("lines") List<String> line) {
        String[] arguments = line.toArray(String[]::new);
        Optional<Map<String, Object>> read = read(arguments);
        read.ifPresent(_ -> assertThat(parsed(arguments)).isEqualTo(read));
    }

    @Provide
    Arbitrary<List<String>> lines() {
        Arbitrary<List<String>> front = Arbitraries.of(List.of(), List.of("--kubeconfig", "F"), List.of("--context=c"));
        Arbitrary<String> word = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of("get", "pods", "/x", "a=b", "why", "deploy.apps/web", "*", "\"q\"")),
                Tuple.of(6, Arbitraries.of("-n", "--namespace", "--as", "--as-group", "--kubeconfig", "--context")),
                Tuple.of(
                        4,
                        Arbitraries.of(
                                "-A", "-q", "--quiet", "--as=a", "--as-group=\"g h\"", "-n=x", "--namespace=y=z")),
                Tuple.of(
                        1,
                        Arbitraries.of("", "-", "--", "@f", "-x", "can-i", "--help", "--as=", "-nx", "--namespac=x")));
        return front.flatMap(before -> word.list().ofMinSize(2).ofMaxSize(7).map(after -> {
            List<String> all = new ArrayList<>(before);
            all.add("can-i");
            all.addAll(after);
            return all;
        }));
    }

    private static Optional<Map<String, Object>> read(String... arguments) {
        return CanICommand.plain(arguments).map(command -> {
            Map<String, Object> all = flags(command);
            // Default values of global flags.
            all.put("verbosity", 0);
            return all;
        });
    }

    /** Returns the parser's result; empty if it fails or runs another command. */
    private static Optional<Map<String, Object>> parsed(String... arguments) {
        PrintWriter discarded = new PrintWriter(Writer.nullWriter());
        Environment environment = new Environment(
                Map.of(), Path.of("/nonexistent"), InputStream.nullInputStream(), false, InstantSource.system());
        try {
            ParseResult parsed = Plat.commandLine(environment, discarded, discarded, arguments)
                    .parseArgs(arguments);
            Map<String, Object> all = flags(parsed.subcommand().commandSpec().userObject());
            flags(parsed.commandSpec().userObject()).forEach(all::putIfAbsent);
            return Optional.of(all);
        } catch (ParameterException rejected) {
            return Optional.empty();
        }
    }

    /** Returns the typed values by field name, through groups of flags; without null values and unrelated fields. */
    private static Map<String, Object> flags(Object command) {
        Map<String, Object> all = new TreeMap<>();
        for (Field field : command.getClass().getDeclaredFields()) {
            field.setAccessible(true);
            if (field.isAnnotationPresent(Mixin.class)) {
                all.putAll(flags(value(field, command)));
            } else if (field.isAnnotationPresent(Option.class) || field.isAnnotationPresent(Parameters.class)) {
                Object value = value(field, command);
                if (value != null) {
                    all.put(field.getName(), value);
                }
            }
        }
        return all;
    }

    private static Object value(Field field, Object holder) {
        try {
            return field.get(holder);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
