package io.plat.apiserver.type;

/**
 * Column of a type's table.
 *
 * @param format format of the type, such as {@code name}, or {@code ""}
 * @param priority 0 for standard columns, more for wide output only
 */
public record Column(String name, String type, String format, String description, int priority) {}
