package io.plat.cli.question;

import io.plat.review.AccessAttributes;
import java.util.List;
import java.util.Objects;

/**
 * A parsed request.
 *
 * @param warnings possible misunderstandings, one message each
 * @param unknown probably misspelled names, one message each
 */
public record Question(AccessAttributes access, List<String> warnings, List<String> unknown) {
    public Question {
        Objects.requireNonNull(access);
        warnings = List.copyOf(warnings);
        unknown = List.copyOf(unknown);
    }
}
