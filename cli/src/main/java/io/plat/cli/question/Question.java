package io.plat.cli.question;

import io.plat.review.AccessAttributes;
import java.util.List;
import java.util.Objects;

/**
 * What the user wants to know, ready to be asked.
 *
 * @param access the attributes to ask about
 * @param warnings what was understood differently from how it may have been meant, one line each
 * @param unknown words that nothing knows, which may be typing errors, one line each
 */
public record Question(AccessAttributes access, List<String> warnings, List<String> unknown) {
    public Question {
        Objects.requireNonNull(access);
        warnings = List.copyOf(warnings);
        unknown = List.copyOf(unknown);
    }
}
