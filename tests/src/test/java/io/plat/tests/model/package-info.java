/**
 * The modes as plain definitions, written from the specification and obviously right: every line, every binding, every rule is looked at.
 * They share no code with the compiled engines, which must agree with them on random policies and requests.
 */
@NullMarked
package io.plat.tests.model;

import org.jspecify.annotations.NullMarked;
