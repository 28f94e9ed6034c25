; The setup of Windows, for one user and without an administrator.
; makensis -DVERSION=1.2.3 -DFROM=folder -DOUT=setup.exe setup.nsi
Target amd64-unicode
SetCompressor /SOLID lzma
!include "MUI2.nsh"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Retrace"
Name "Retrace ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Retrace"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
BrandingText " "
!define MUI_ICON "${FROM}/retrace.ico"
!define MUI_UNICON "${FROM}/retrace.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\retracew.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "SimpChinese"

!macro Opens ENDING
  ; Offered by "Open with"; what opens such files by itself stays as it is.
  WriteRegStr HKCU "Software\Classes\.${ENDING}\OpenWithProgids" "Retrace.File" ""
!macroend
!macro OpensNot ENDING
  DeleteRegValue HKCU "Software\Classes\.${ENDING}\OpenWithProgids" "Retrace.File"
!macroend

Section
  SetOutPath "$INSTDIR"
  File /r "${FROM}/program/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Retrace.lnk" "$INSTDIR\retracew.exe"
  WriteRegStr HKCU "Software\Classes\Retrace.File" "" "Retrace"
  WriteRegStr HKCU "Software\Classes\Retrace.File\DefaultIcon" "" "$INSTDIR\retracew.exe,0"
  WriteRegStr HKCU "Software\Classes\Retrace.File\shell\open\command" "" '"$INSTDIR\retracew.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\.retrace" "" "Retrace.File"
  !insertmacro Opens "pbf"
  !insertmacro Opens "osm"
  !insertmacro Opens "gpx"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Retrace"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\retracew.exe"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  ; What the user made lies elsewhere and stays.
  !include "${FROM}/uninstall.nsh"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Retrace.lnk"
  DeleteRegKey HKCU "Software\Classes\Retrace.File"
  DeleteRegKey HKCU "Software\Classes\.retrace"
  !insertmacro OpensNot "pbf"
  !insertmacro OpensNot "osm"
  !insertmacro OpensNot "gpx"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
