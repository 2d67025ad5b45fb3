/**
 * The modes as reference models, written from the specification: they scan every line, binding and rule. They share no code with the
 * compiled engines, which must agree with them on random policies and requests.
 */
@NullMarked
package io.plat.tests.model;

import org.jspecify.annotations.NullMarked;
