package io.plat.apiserver.type;

/**
 * Column of a type's table.
 *
 * @param name heading
 * @param type OpenAPI type of its cells
 * @param format format of the type, such as {@code name}, or {@code ""}
 * @param description description in a sentence
 * @param priority 0 for standard columns, more for wide output only
 */
public record Column(String name, String type, String format, String description, int priority) {}
