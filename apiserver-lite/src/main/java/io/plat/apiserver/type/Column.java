package io.plat.apiserver.type;

/**
 * One column of a type's table.
 *
 * @param name the heading
 * @param type the type of its cells, as OpenAPI names it
 * @param format a modifier of the type, such as {@code name}, or {@code ""}
 * @param description what its cells show, as a sentence
 * @param priority 0 for what is always shown, more for wide output only
 */
public record Column(String name, String type, String format, String description, int priority) {}
