package io.plat.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Language of comments, names, messages and documents: the rules in {@code house/language.tsv}. The file limits the number of findings of a
 * rule in a module; limits may only be lowered.
 */
class LanguageTest {
    private static final Path TOP = Checkout.root();
    private static final String DOCUMENTS = "documents";
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?<![:\"])//[^\\n]*");
    private static final Pattern TAG = Pattern.compile("\\{@(?:link|linkplain|code|snippet)[^}]*}");
    private static final Pattern MARK = Pattern.compile("/\\*\\*?|\\*/|(?m)^\\s*\\*|//");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern LITERAL = Pattern.compile("(?s)\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"");
    /** The constant start of an exception's or log message, and the parenthesis after an entirely constant one. */
    private static final Pattern MESSAGE = Pattern.compile(
            "(?:new \\w+Exception|\\w+Exception\\.\\w+|LOG\\.\\w+)\\(\\s*\"((?:[^\"\\\\\\n]|\\\\.)+)\"(?:\\s*(\\)))?");

    /** A rule: kind of texts, forbidden pattern, and recommendation. */
    private record Rule(String kind, Pattern pattern, String instead) {
        static Rule of(String[] row) {
            return new Rule(row[0], Rule.pattern(row[0], row[1]), row[2]);
        }

        private static Pattern pattern(String kind, String texts) {
            return Pattern.compile(
                    switch (kind) {
                        case "opening" -> "\\A(?:" + texts + ")\\b";
                        case "message" -> texts;
                        default -> "(?i)\\b(?:" + texts + ")\\b";
                    });
        }

        Stream<String> findings(String text) {
            return pattern.matcher(text).results().map(found -> kind + " \"" + found.group() + "\", use " + instead);
        }
    }

    /**
     * The rules of a kind.
     *
     * @param any matches each text that violates one of them; most texts violate none
     */
    private record Rules(String kind, Pattern any, List<Rule> rules) {
        /** Returns the rules of the file by kind, or those of one kind. */
        static List<Rules> read(String only) throws IOException {
            Map<String, List<String[]>> kinds = rows().filter(
                            row -> only.isEmpty() ? !row[0].equals("limit") : row[0].equals(only))
                    .collect(Collectors.groupingBy(row -> row[0], TreeMap::new, Collectors.toList()));
            return kinds.entrySet().stream()
                    .map(kind -> new Rules(
                            kind.getKey(),
                            Rule.pattern(
                                    kind.getKey(),
                                    kind.getValue().stream().map(row -> row[1]).collect(Collectors.joining("|"))),
                            kind.getValue().stream().map(Rule::of).toList()))
                    .toList();
        }

        Stream<String> findings(Map<String, List<String>> texts) {
            return texts.getOrDefault(kind, List.of()).stream()
                    .filter(text -> any.matcher(text).find())
                    .flatMap(text -> rules.stream().flatMap(rule -> rule.findings(text)));
        }
    }

    /** Returns the texts of a Java file by kind. */
    private static Map<String, List<String>> textsOfJava(String java) {
        List<String> comments = comments(java).toList();
        List<String> prose = comments.stream().map(LanguageTest::plain).toList();
        return Map.of(
                "opening",
                comments.stream()
                        .filter(comment -> comment.startsWith("/**"))
                        .map(LanguageTest::plain)
                        .toList(),
                "word",
                Stream.concat(prose.stream(), Stream.of(names(java))).toList(),
                "spelling",
                prose,
                "wording",
                Stream.concat(prose.stream(), literals(java)).toList(),
                "name",
                List.of(names(java)),
                "message",
                messages(java).toList());
    }

    /** Returns the texts of a document or of a script of a page by kind. */
    private static Map<String, List<String>> textsOfDocument(String text) {
        return Map.of(
                "opening",
                comments(text)
                        .filter(comment -> comment.startsWith("/** "))
                        .map(LanguageTest::plain)
                        .toList(),
                "word",
                List.of(text),
                "spelling",
                // HTML and CSS names have American spelling.
                List.of(text.replaceAll("color-\\w+", "")),
                "wording",
                List.of(text));
    }

    private static Stream<String> literals(String java) {
        return LITERAL.matcher(COMMENT.matcher(java).replaceAll(" ")).results().map(found -> found.group());
    }

    private static Stream<String> comments(String java) {
        return COMMENT.matcher(java).results().map(found -> found.group());
    }

    /** Returns the prose of a comment, on one line. */
    private static String plain(String comment) {
        String text = MARK.matcher(TAG.matcher(comment).replaceAll("x")).replaceAll(" ");
        return SPACE.matcher(text).replaceAll(" ").strip();
    }

    /** Returns the identifiers of a file, split into words. */
    private static String names(String java) {
        String code = LITERAL.matcher(COMMENT.matcher(java).replaceAll(" ")).replaceAll(" ");
        return code.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the constant parts of exception messages; a blank follows those that are not the whole message. */
    private static Stream<String> messages(String java) {
        return MESSAGE.matcher(java).results().map(found -> found.group(1) + (found.group(2) == null ? " " : ""));
    }

    @Test
    void sourcesAndDocumentsFollowTheRules() throws IOException {
        List<Rules> rules = Rules.read("");
        Map<String, Integer> limits = new TreeMap<>();
        rows().filter(row -> row[0].equals("limit"))
                .forEach(row -> limits.put(row[1] + " of " + row[2], Integer.valueOf(row[3])));
        Map<String, List<String>> findings = new TreeMap<>();
        for (Path file : files()) {
            String name = TOP.relativize(file).toString();
            boolean java = name.endsWith(".java");
            String module = java ? name.substring(0, name.indexOf('/')) : DOCUMENTS;
            Map<String, List<String>> texts =
                    new TreeMap<>(java ? textsOfJava(Files.readString(file)) : textsOfDocument(Files.readString(file)));
            if (name.contains("src/test/java/")) {
                // Tests throw exceptions with the messages of others, and users do not read them.
                texts.remove("message");
                texts.remove("wording");
            }
            for (Rules kind : rules) {
                kind.findings(texts)
                        .forEach(found -> findings.computeIfAbsent(
                                        kind.kind() + " of " + module, key -> new ArrayList<>())
                                .add(name + ": " + found));
            }
        }
        findings.forEach((key, found) ->
                System.out.println(key + ": " + found.size() + ", at most " + limits.getOrDefault(key, 0)));
        findings.entrySet().removeIf(entry -> entry.getValue().size() <= limits.getOrDefault(entry.getKey(), 0));
        assertThat(findings).as("more findings than language.tsv allows").isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        opening  | /** What a role grants. */           | /** Rules of a role. */
        opening  | /** Whether it is empty. */          | /** Returns whether it is empty. */
        word     | /** Whoever calls closes it. */      | /** The caller closes it. */
        word     | int onlookerCount;                   | int subscriberCount;
        name     | String question; // Who asks?           | String request; // An administrator asks.
        name     | String why = cause();                | String cause = cause();
        name     | new java.util.ArrayList<>()          | import java.util.ArrayList;
        message  | throw new UsageException("No file.") | throw new UsageException("no file")
        message  | CommandException.usage("Bad " + x)   | CommandException.usage("bad " + x)
        message  | CommandException.usage("no file.")   | CommandException.usage("no file, such as a." + x)
        spelling | // Seperate behaviors.               | // Separate behaviours.
        word     | Path logFolder;                      | Path logDirectory;
        wording  | fail("it can't be read");            | fail(file + " cannot be read");
        wording  | fail("no folder");                   | fail("no directory");
        """)
    void rulesDetectBadTexts(String kind, String bad, String good) throws IOException {
        List<Rules> rules = Rules.read(kind);
        assertThat(rules.stream().flatMap(rule -> rule.findings(textsOfJava(bad))))
                .isNotEmpty();
        assertThat(rules.stream().flatMap(rule -> rule.findings(textsOfJava(good))))
                .isEmpty();
    }

    private static Stream<String[]> rows() throws IOException {
        return Files.readAllLines(Path.of("src", "test", "resources", "house", "language.tsv")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t", -1));
    }

    /** Returns the sources of all modules with help and pages, and the documents at the top, in {@code docs} and {@code conf}. */
    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(TOP)) {
            return files.filter(file -> {
                        String name = TOP.relativize(file).toString();
                        return (name.matches(".*src/(main|test)/java/.*\\.java")
                                        // The bad texts below.
                                        && !name.endsWith("/LanguageTest.java")
                                        && !name.startsWith("decider/examples"))
                                || (name.endsWith(".md")
                                        && (name.indexOf('/') < 0 || name.startsWith("docs/"))
                                        && !name.equals("CHANGELOG.md"))
                                || name.matches("[a-z/-]*src/main/resources/.*(help\\.txt|/page/.*\\.(js|html))")
                                || name.matches("conf/(.*\\.(md|yaml)|quickstart)");
                    })
                    .sorted()
                    .toList();
        }
    }
}
