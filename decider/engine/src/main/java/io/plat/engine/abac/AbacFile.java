package io.plat.engine.abac;

import io.plat.engine.lookup.Interner;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of policy files: one JSON object per line, without blank lines and lines that start with {@code #} (specification, "ABAC mode", 1). A
 * policy is only returned if no line has a problem.
 */
public final class AbacFile {
    /** Maximum length of a line, in bytes of UTF-8, as in kube-apiserver. */
    public static final int MAX_LINE_BYTES = 64 << 10;

    private final String name;
    private final Interner interned = new Interner();
    private final List<AbacLine> lines = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    private AbacFile(String name) {
        this.name = name;
    }

    /**
     * Parses a policy from a text.
     *
     * @param name its name in locations
     * @throws ProblemsException with every problem of every line
     */
    public static AbacPolicy parse(String name, String text) throws ProblemsException {
        AbacFile file = new AbacFile(name);
        file.parse(text);
        if (!file.problems.isEmpty()) {
            throw new ProblemsException(file.problems);
        }
        return new AbacPolicy(file.lines);
    }

    private void parse(String text) {
        int number = 0;
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            String line = text.substring(start, end < 0 ? text.length() : end).strip();
            number++;
            if (!line.isEmpty() && !line.startsWith("#")) {
                parse(new Location(name, number), line);
            }
            start = end < 0 ? text.length() : end + 1;
        }
    }

    private void parse(Location where, String line) {
        boolean surelyShort = line.length() <= MAX_LINE_BYTES / 4;
        if (!surelyShort && line.getBytes(StandardCharsets.UTF_8).length > MAX_LINE_BYTES) {
            problems.add(new Problem(where, "line is longer than " + MAX_LINE_BYTES + " bytes"));
            return;
        }
        try {
            SourceNode node = SourceReader.readJson(where.file(), where.line(), line);
            int before = problems.size();
            AbacLine parsed = new AbacLineReader(where, line, interned, problems).read(node);
            if (problems.size() == before) {
                lines.add(parsed);
            }
        } catch (ProblemsException e) {
            problems.addAll(e.problems());
        }
    }
}
