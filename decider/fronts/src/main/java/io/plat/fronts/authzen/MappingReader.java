package io.plat.fronts.authzen;

import io.plat.engine.lookup.Frozen;
import io.plat.fronts.authzen.Expression.Form;
import io.plat.fronts.authzen.MappedTypes.ResourceRow;
import io.plat.fronts.authzen.MappedTypes.Rows;
import io.plat.fronts.authzen.MappedTypes.SubjectRow;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of mapping files. */
final class MappingReader {
    /** Maximum number of rows of a file: each has a few expressions, which take milliseconds to compile. */
    private static final int MAX_ROWS = 1_000;

    private static final List<String> ATTRIBUTES =
            List.of("verb", "group", "resource", "subresource", "namespace", "name", "path");

    private final List<Problem> problems = new ArrayList<>();

    private MappingReader() {}

    /**
     * Reads a file.
     *
     * @throws ProblemsException with every problem, each at its line
     */
    static Rows read(Path file) throws ProblemsException {
        SourceNode document = SourceReader.only(SourceReader.readYaml(file), file.toString(), "document");
        MappingReader reader = new MappingReader();
        Rows rows = reader.rows(SourceFields.of(document, "", reader.problems));
        if (!reader.problems.isEmpty()) {
            throw new ProblemsException(reader.problems);
        }
        return rows;
    }

    private Rows rows(SourceFields file) {
        Map<String, SubjectRow> subjects = new HashMap<>();
        Map<String, List<ResourceRow>> resources = new HashMap<>();
        List<SourceFields> ofSubjects = file.mappings("subjects");
        List<SourceFields> ofResources = file.mappings("resources");
        if (ofSubjects.isEmpty() && ofResources.isEmpty() && problems.isEmpty()) {
            file.problem("resources", "required, or subjects");
        }
        if (ofSubjects.size() + ofResources.size() > MAX_ROWS) {
            file.problem("resources", "expected at most " + MAX_ROWS + " rows in the file");
            return Rows.NONE;
        }
        for (SourceFields row : ofSubjects) {
            String type = row.requiredString("type");
            if (subjects.put(type, subject(row)) != null) {
                row.problem("type", Quoted.of(type) + " has a row already");
            }
        }
        for (SourceFields row : ofResources) {
            String type = row.requiredString("type");
            resources.computeIfAbsent(type, one -> new ArrayList<>()).add(resource(row));
        }
        file.rejectUnknown();
        return new Rows(subjects, resources);
    }

    private SubjectRow subject(SourceFields row) {
        if (!row.has("user") && !row.has("groups")) {
            row.problem("user", "required, or groups");
        }
        SubjectRow subject = new SubjectRow(
                expression(row, "user", "subject", Form.TEXT),
                expression(row, "groups", "subject", Form.TEXTS),
                expression(row, "id", "subject", Form.ID));
        row.rejectUnknown();
        return subject;
    }

    private ResourceRow resource(SourceFields row) {
        if (row.has("path") == row.has("resource")) {
            row.problem("resource", row.has("path") ? "cannot be combined with path" : "required, or path");
        }
        Map<String, Expression> values = new HashMap<>();
        for (String attribute : ATTRIBUTES) {
            put(values, attribute, expression(row, attribute, "resource", Form.TEXT));
        }
        put(values, "id", expression(row, "id", "resource", Form.ID));
        Set<String> actions = Frozen.copyOf(row.strings("actions"));
        row.rejectUnknown();
        return new ResourceRow(actions, values);
    }

    private static void put(Map<String, Expression> values, String attribute, @Nullable Expression expression) {
        if (expression != null) {
            values.put(attribute, expression);
        }
    }

    private static @Nullable Expression expression(SourceFields row, String key, String part, Form form) {
        String text = row.string(key);
        return row.has(key) && !text.isEmpty()
                ? Expression.compile(part + " " + key, text, form, problem -> row.problem(key, problem))
                : null;
    }
}
