package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/assets"
)

// speak has the window speak a language (a tag such as "de"), or the system's
// where it is empty. Fyne always follows the system, so a chosen language is
// given to it as the texts of every tag that it may choose.
func speak(language string) error {
	for tag, ours := range tags() {
		if language != "" {
			ours = language
		}
		data, err := assets.Translations.ReadFile("translations/" + ours + ".json")
		if err != nil {
			return fmt.Errorf("language %q: %w", ours, err)
		}
		if err := lang.AddTranslationsForLocale(data, fyne.Locale(tag)); err != nil {
			return fmt.Errorf("language %q: %w", ours, err)
		}
	}
	return nil
}

// tags are the languages that fyne may choose for a system, and ours for each:
// it has texts of its own for some countries, and falls back to English, not to
// the language, where a country's has none of ours.
func tags() map[string]string {
	return map[string]string{
		"en": "en", "de": "de", "pt": "pt", "pt-PT": "pt", "pt-BR": "pt", "zh": "zh", "zh-Hans": "zh", "zh-Hant": "zh",
	}
}
